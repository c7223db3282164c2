import { useCallback, useEffect, useRef, useState, type RefObject } from "react";

/** This near to the end counts as the end. */
const NEAR_PX = 48;

export interface FollowScroll {
  scroller: RefObject<HTMLDivElement | null>;
  content: RefObject<HTMLDivElement | null>;
  /** The reader is somewhere above, and the page leaves them there. */
  isAway: boolean;
  toEnd: () => void;
}

/** The end of the conversation stays in view while it grows, until the reader scrolls up; and again from when they come back down. */
export function useFollowScroll(): FollowScroll {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isFollowing = useRef(true);
  const [isAway, setIsAway] = useState(false);
  const toEnd = useCallback(() => {
    isFollowing.current = true;
    setIsAway(false);
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }, []);
  useEffect(() => {
    const [outer, inner] = [scroller.current, content.current];
    if (!outer || !inner) return;
    let lastTop = outer.scrollTop;
    const onScroll = () => {
      const isNear = outer.scrollHeight - outer.scrollTop - outer.clientHeight < NEAR_PX;
      // What grows below moves nobody: only a step upwards is the reader's wish to stay.
      if (isNear) isFollowing.current = true;
      else if (outer.scrollTop < lastTop) isFollowing.current = false;
      lastTop = outer.scrollTop;
      setIsAway(!isNear && !isFollowing.current);
    };
    // Whoever unfolds something wants to see that, and not the end.
    const onClick = ({ target }: MouseEvent) => {
      if (target instanceof Element && target.closest("[aria-expanded], summary")) isFollowing.current = false;
    };
    const grown = new ResizeObserver(() => {
      if (isFollowing.current) outer.scrollTo({ top: outer.scrollHeight });
    });
    grown.observe(inner);
    grown.observe(outer);
    outer.addEventListener("scroll", onScroll, { passive: true });
    inner.addEventListener("click", onClick);
    return () => {
      grown.disconnect();
      outer.removeEventListener("scroll", onScroll);
      inner.removeEventListener("click", onClick);
    };
  }, []);
  return { scroller, content, isAway, toEnd };
}
