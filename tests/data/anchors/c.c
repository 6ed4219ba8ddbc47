/* Saves notes. */
static int
save(struct note *n)
{
	int local = 1;
	return local;
}
struct note {
	int a;
};
typedef struct node {
	int b;
} node_t;
enum color { RED, GREEN };
int declared(int a);
char *name(void) { return 0; }
static const struct ops file_ops = { .save = save };
int table[3] = { 1, 2, 3 };
typedef int (*callback)(int);
#ifdef X
int chosen(void) { return 1; }
#else
int chosen(void) { return 2; }
#endif
#define LIMIT 8
extern int elsewhere;
