// Package store saves notes.
package store

// Store saves notes.
type Store[T any] struct {
	path string
}

// Save writes one.
func (s *Store[T]) Save(n Note) error {
	local := 1
	var other = 2
	return nil
}
func (Store) Value() int { return 1 }
func Top[T any](a T) T { return a }

type (
	// Shape has an area.
	Shape interface {
		Area() float64
	}
	Names []string
)
type Alias = string

const Limit = 8
const (
	Red = iota
	Green
)

var first, second = 1, 2
