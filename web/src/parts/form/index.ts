export { SchemaForm, type SchemaFormProps } from "./SchemaForm";
export { registerWidget } from "./registry";
export { inputOf } from "./input";
export { complaints, type Complaint } from "./validation/complain";
export { complaintsIn } from "./validation/place";
