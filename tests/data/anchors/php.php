<?php
namespace App\Models;

use Foo\Bar;

/** Saves notes. */
#[Entity]
final class Store extends Base implements Shape
{
    const LIMIT = 8;
    private int $path = 1;

    /** Writes one. */
    #[Pure]
    public function save(Note $note): bool
    {
        $local = 1;
        return true;
    }

    public static function open() {}
}
interface Shape
{
    public function area(): float;
}
trait Loud
{
    function shout() {}
}
enum Color: string
{
    case Red = 'r';
}
function top($a) {}
const TOP = 1;
