// One line per area: its folder exports the routes it owns.
import { rootRoute } from "./roots";

export const routeTree = rootRoute.addChildren([]);
