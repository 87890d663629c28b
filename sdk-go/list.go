package slipway

import (
	"context"
	"iter"
	"maps"
	"net/url"
	"slices"
)

// ListCall is a list. Range over All for its items: the client requests further pages as needed. Every iteration starts
// at the first page.
//
// A list reports its end. The event feed never ends; an iteration stops at its current end.
type ListCall[Page, Item any] struct {
	fetch  func(position string) (*Page, error)
	view   func(*Page) view[Item]
	isFeed bool
}

// view has the fields of a page that an iteration reads.
type view[Item any] struct {
	items    []Item
	position *string
	// A page may be empty although more follows, because a page examines a bounded number of events.
	hasMore bool
}

func newListCall[Page, Item any](
	ctx context.Context, c *Client, op operation, input request, options []CallOption, look func(*Page) view[Item],
) *ListCall[Page, Item] {
	fetch := func(position string) (*Page, error) {
		wanted := input
		if position != "" {
			wanted.query = url.Values(maps.Clone(input.query))
			wanted.query.Set(op.page, position)
		}
		return performObject[Page](ctx, c, op, wanted, options)
	}
	return &ListCall[Page, Item]{fetch: fetch, view: look, isFeed: op.page == "after"}
}

// Page returns the first page.
func (l *ListCall[Page, Item]) Page() (*Page, error) { return l.fetch("") }

// Pages yields the pages from the first one. An error ends the iteration.
func (l *ListCall[Page, Item]) Pages() iter.Seq2[*Page, error] {
	return func(yield func(*Page, error) bool) {
		position := ""
		for isFirst := true; ; isFirst = false {
			page, err := l.fetch(position)
			if err != nil {
				yield(nil, err)
				return
			}
			seen := l.view(page)
			isEnd := l.isFeed && len(seen.items) == 0 && !seen.hasMore
			if isEnd && !isFirst || !yield(page, nil) {
				return
			}
			if isEnd || seen.position == nil {
				return
			}
			position = *seen.position
		}
	}
}

// All yields the items of all pages. An error ends the iteration.
func (l *ListCall[Page, Item]) All() iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		for page, err := range l.Pages() {
			if err != nil {
				var none Item
				yield(none, err)
				return
			}
			for item := range slices.Values(l.view(page).items) {
				if !yield(item, nil) {
					return
				}
			}
		}
	}
}
