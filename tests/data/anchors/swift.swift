import Foundation

/// Saves notes.
@available(iOS 13, *)
public final class Store: Base {
    let path: String
    // Writes one.
    @discardableResult
    func save(_ note: Note) -> Bool {
        let local = 1
        func inner() {}
        return true
    }
    init(path: String) { self.path = path }
    subscript(at: Int) -> Int { 1 }
    static var shared = Store(path: "")
}
struct Point {
    var x = 0
    func length() -> Int { x }
}
enum Color {
    case red
    func paint() {}
}
protocol Shape {
    func area() -> Double
}
extension String {
    func shout() -> String { uppercased() }
}
extension Store: Shape {
    func area() -> Double { 1 }
}
actor Worker {
    func run() {}
}
typealias Names = [String]
func top<T>(a: T) {}
let limit = 8
