import { useEffect, useRef, useState, type RefObject } from "react";

/** Somewhat before it is seen, so that it is there when it is. */
const AHEAD = "800px";

/** Whether the element was ever near the screen. */
export function useInView(): [RefObject<HTMLDivElement | null>, boolean] {
  const place = useRef<HTMLDivElement>(null);
  const [wasSeen, setWasSeen] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (!element || wasSeen) return;
    const watcher = new IntersectionObserver((entries) => entries.some(({ isIntersecting }) => isIntersecting) && setWasSeen(true), { rootMargin: AHEAD });
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [wasSeen]);
  return [place, wasSeen];
}
