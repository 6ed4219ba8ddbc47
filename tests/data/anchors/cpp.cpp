#include <vector>
#define MAX(a, b) ((a) > (b) ? (a) : (b))
namespace acme {
/** Saves notes. */
template <typename T>
class Store : public Base {
 public:
  explicit Store(int path);
  // Writes one.
  bool save(const Note& note) { return true; }
  virtual int size() const = 0;
  bool operator==(const Store& other) const { return true; }
  struct Inner {
    int x;
  };
};
bool Store::load(int a) const { return true; }
template <typename T>
int Store<T>::size() const { return 1; }
Store::Store(int path) : path_(path) {}
Store::~Store() {}
Note& reference(int a) { return x; }
auto trailing(int a) -> int { return 1; }
void declared(int a);
enum class Color { red };
using Names = std::vector<int>;
int global = 1;
template <typename T>
T twice(T x) { return x + x; }
}  // namespace acme
namespace a::b {
int deep() { return 1; }
}
extern "C" {
int plain(void) { return 1; }
}
