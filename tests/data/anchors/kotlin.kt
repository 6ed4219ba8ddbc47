package acme

/** Saves notes. */
@Serializable
data class Store(val path: String) : Base() {
    companion object {
        const val LIMIT = 8
        fun open(path: String): Store = Store(path)
    }

    // Writes one.
    @Throws(IOException::class)
    suspend fun save(note: Note): Boolean {
        val local = 1
        fun inner() = local
        return true
    }

    val size: Int get() = 3
}

interface Shape {
    fun area(): Double
}

enum class Color {
    RED,
}

object Registry {
    fun add() {}
}

fun String.shout(): String = uppercase()
fun <T> List<T>.second(): T = this[1]
typealias Names = List<String>
val TOP = 1
