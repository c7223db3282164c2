import type { Complaint } from "../controls/types";
import type { Doc } from "../doc/json";

export interface SectionProps {
  definition: Doc;
  onChange(definition: Doc): void;
  complaint?: Complaint;
}
