import { createRoute, lazyRouteComponent } from "@tanstack/react-router";

import { shellRoute } from "@/app/roots";

import { parseEditor, parseList, parseNew } from "./search";

const listRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/admin/tools",
  validateSearch: parseList,
  component: lazyRouteComponent(() => import("./list/AuthoringPage"), "AuthoringPage"),
});

const newRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/admin/tools/new",
  validateSearch: parseNew,
  component: lazyRouteComponent(() => import("./editor/NewToolPage"), "NewToolPage"),
});

const editorRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/admin/tools/$name",
  validateSearch: parseEditor,
  component: lazyRouteComponent(() => import("./editor/EditorPage"), "EditorPage"),
});

export const authoringRoutes = [listRoute, newRoute, editorRoute] as const;
