import { createContext } from "react";

/** Whether the filters stand in a sheet, one below the other: there is room for their labels then. */
export const InSheet = createContext(false);
