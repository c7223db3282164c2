import { useEffect, useRef, type RefObject } from "react";

/** A dialog gives the focus back a moment after it closed, perhaps to what is gone by then. */
const MOST_FRAMES = 30;

/**
 * The article in focus may go because somebody answered it: then its neighbour has the focus, not the page. A keyboard stays where it was.
 */
export function useFocusKept(feed: RefObject<HTMLElement | null>, names: string, at: number): void {
  const wasInside = useRef(false);
  useEffect(() => {
    const look = () => {
      const focused = document.activeElement;
      if (focused === document.body) return;
      // A dialog of the feed lies beside it on the page.
      wasInside.current = feed.current?.contains(focused) === true || (wasInside.current && focused?.closest("[role=dialog],[role=alertdialog]") !== null);
    };
    document.addEventListener("focusin", look);
    return () => document.removeEventListener("focusin", look);
  }, [feed]);
  useEffect(() => {
    if (!wasInside.current) return;
    let left = MOST_FRAMES;
    let frame = 0;
    const look = () => {
      if (document.activeElement === document.body) {
        feed.current?.querySelector<HTMLElement>(`[data-article="${at}"]`)?.focus();
        return;
      }
      left -= 1;
      if (left > 0) frame = requestAnimationFrame(look);
    };
    look();
    return () => cancelAnimationFrame(frame);
  }, [feed, names, at]);
}
