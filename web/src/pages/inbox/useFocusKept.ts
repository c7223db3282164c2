import { useEffect, useRef, type RefObject } from "react";

/** A dialog gives the focus back a moment after it closed, perhaps to what is gone by then. */
const MOST_FRAMES = 30;
const DIALOG = "[role=dialog],[role=alertdialog]";

/**
 * The article in focus may go, or lose its button, because it was answered: then the focus is on what stands in its place, or on the whole list
 * when nothing does. A keyboard stays where it was.
 */
export function useFocusKept(list: RefObject<HTMLElement | null>, names: string): void {
  // The article that had the focus last; none when something outside of the list has it.
  const last = useRef<string>(undefined);
  useEffect(() => {
    const look = () => {
      const focused = document.activeElement;
      // A dialog of the list lies beside it on the page.
      if (!focused || focused === document.body || focused === list.current || focused.closest(DIALOG)) return;
      last.current = list.current?.contains(focused) ? focused.closest<HTMLElement>("[data-article]")?.dataset.article : undefined;
    };
    document.addEventListener("focusin", look);
    return () => document.removeEventListener("focusin", look);
  }, [list]);
  useEffect(() => {
    const name = last.current;
    if (name === undefined) return;
    let left = MOST_FRAMES;
    let frame = 0;
    const look = () => {
      if (document.activeElement === document.body) {
        const found = (selector: string) => list.current?.querySelector<HTMLElement>(selector);
        (found(`[data-article="${CSS.escape(name)}"]`) ?? found('[data-article][tabindex="0"]') ?? list.current)?.focus();
        return;
      }
      left -= 1;
      if (left > 0) frame = requestAnimationFrame(look);
    };
    look();
    return () => cancelAnimationFrame(frame);
  }, [list, names]);
}
