package acme;

/** Saves notes. */
@Deprecated
public final class Store<T> extends Base {
    static final int LIMIT = 8;
    /** Writes one. */
    @Override
    public <U> boolean save(Note note) {
        int local = 1;
        return true;
    }
    public boolean save(int x) { return true; }
    Store(String path) {}
    static class Inner {
        void save() {}
    }
    enum Mode {
        READ,
        WRITE,
    }
}
interface Shape {
    double area();
}
record Point(int x) {
    int length() { return x; }
}
@interface Marker {
    int value() default 1;
}
