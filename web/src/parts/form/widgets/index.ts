import type { RegistryWidgetsType } from "@rjsf/utils";

import { registerWidget } from "../registry";
import { CheckboxesWidget, CheckboxWidget, RadioWidget, SelectWidget } from "./ChoiceWidgets";
import { FileWidget } from "./FileWidget";
import { ColorWidget, DateTimeWidget, DateWidget, TimeWidget } from "./MomentWidgets";
import { RangeWidget, RatingWidget } from "./NumberWidgets";
import { AgentPicker, SecretPicker, ToolPicker } from "./pickers";
import { TagsWidget } from "./TagsWidget";
import { CodeWidget, MarkdownWidget, PasswordWidget, TextareaWidget } from "./TextWidgets";

/** Under the library's names, and under those that a schema may ask for. */
export const widgets: RegistryWidgetsType = {
  CheckboxWidget,
  CheckboxesWidget,
  ColorWidget,
  DateTimeWidget,
  DateWidget,
  FileWidget,
  PasswordWidget,
  RadioWidget,
  RangeWidget,
  SelectWidget,
  TextareaWidget,
  TimeWidget,
  code: CodeWidget,
  markdown: MarkdownWidget,
  rating: RatingWidget,
  switch: CheckboxWidget,
  tags: TagsWidget,
};

registerWidget("agent-picker", AgentPicker);
registerWidget("tool-picker", ToolPicker);
registerWidget("secret-picker", SecretPicker);
