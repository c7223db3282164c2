export { Output } from "./Output";
export { Section, type OutputSection } from "./Section";
export { Attachments } from "./Attachments";
export { namesFiles } from "./content";
export { registerRenderer, type CustomSectionProps } from "./custom";
export { Markdown } from "./markdown/Markdown";
