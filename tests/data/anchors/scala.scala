package acme

/** Saves notes. */
@deprecated
class Store(path: String) extends Base {
  // Writes one.
  def save(note: Note): Boolean = {
    val local = 1
    true
  }
  val size = 1
}
object Store {
  def open() = 1
}
trait Shape {
  def area: Double
}
