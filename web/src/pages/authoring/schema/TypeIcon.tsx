import { AtSign, Braces, Calendar, Hash, Image, Link, Link2, List, ListChecks, Phone, TextCursorInput, ToggleLeft, Type, type LucideIcon } from "lucide-react";
import { createElement } from "react";

import type { FieldType } from "./shape";

const ICONS: Record<FieldType, LucideIcon> = {
  text: Type,
  number: Hash,
  boolean: ToggleLeft,
  date: Calendar,
  enum: ListChecks,
  url: Link,
  email: AtSign,
  phone: Phone,
  media: Image,
  relation: Link2,
  object: TextCursorInput,
  array: List,
};

export function TypeIcon({ type, className }: { type: FieldType | undefined; className?: string }) {
  return createElement(type === undefined ? Braces : ICONS[type], { "aria-hidden": true, className });
}
