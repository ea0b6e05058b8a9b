import {
  observeWindowOffset,
  observeWindowRect,
  Virtualizer,
  type VirtualizerOptions,
  windowScroll,
} from '@tanstack/virtual-core';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';

interface VirtualListProps<T> {
  readonly label: string;
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  readonly estimatedHeight: number;
  /** Called when the last rows come into view. */
  readonly onEndReached: () => void;
  readonly children: (item: T, index: number) => ComponentChildren;
}

type WindowOptions = VirtualizerOptions<Window, HTMLElement>;

const ROWS_BEFORE_END = 8;

/** A long list that scrolls with the window and renders only the visible rows. */
export const VirtualizedList = <T,>(props: VirtualListProps<T>) => {
  const { items, keyOf, estimatedHeight, onEndReached } = props;
  const list = useRef<HTMLUListElement>(null);
  const [, renderAgain] = useReducer((count: number) => count + 1, 0);
  const [scrollMargin, setScrollMargin] = useState(0);
  const options: WindowOptions = {
    count: items.length,
    getScrollElement: () => window,
    estimateSize: () => estimatedHeight,
    getItemKey: index => keyOf(items[index]!),
    overscan: 6,
    scrollMargin,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    observeElementRect: observeWindowRect,
    observeElementOffset: observeWindowOffset,
    scrollToFn: windowScroll,
    onChange: () => renderAgain(undefined),
  };
  const [virtualizer] = useState(() => new Virtualizer(options));
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => {
    virtualizer._willUpdate();
    const top = (list.current?.getBoundingClientRect().top ?? 0) + window.scrollY;
    if (Math.abs(top - scrollMargin) > 1) setScrollMargin(top);
  });
  const rows = virtualizer.getVirtualItems();
  const lastShown = rows.at(-1)?.index ?? 0;
  const isAtEnd = items.length > 0 && lastShown >= items.length - ROWS_BEFORE_END;
  useEffect(() => {
    if (isAtEnd) onEndReached();
  }, [isAtEnd, items.length]);
  return (
    <ul
      ref={list}
      class="virtual-list card"
      aria-label={props.label}
      style={{ height: `${virtualizer.getTotalSize()}px` }}
    >
      {rows.map(({ key, index, start }) => (
        <li
          key={key}
          ref={element => virtualizer.measureElement(element)}
          data-index={index}
          aria-setsize={items.length}
          aria-posinset={index + 1}
          style={{ transform: `translateY(${start - scrollMargin}px)` }}
        >
          {props.children(items[index]!, index)}
        </li>
      ))}
    </ul>
  );
};
