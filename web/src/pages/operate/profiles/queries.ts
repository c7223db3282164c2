import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";

import { api, data, type Schemas } from "@/api/client";
import { profilesQuery } from "@/api/every";
import { everyPage, MOST_ROWS } from "@/api/pages";
import { keys } from "@/api/queries";

export type Profile = Schemas["Profile"];
export type Assignment = Schemas["Assignment"];

const PROFILES = profilesQuery.queryKey;

/** All of them: who uses a profile is not asked profile by profile. */
export const assignmentsQuery = queryOptions({
  queryKey: [...keys.agents, "assignments"],
  queryFn: ({ signal }) => everyPage<Assignment>((cursor) => data(api.GET("/api/assignments", { params: { query: { limit: MOST_ROWS, cursor } }, signal }))),
});

/** `quiet`: the form shows the refusal. Who takes a change back has no form any more, and is told by a toast. */
export function useSaveProfile(id: string | undefined, quiet = true) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["ProfileParams"]) => data(id === undefined ? api.POST("/api/profiles", { body }) : api.PUT("/api/profiles/{id}", { params: { path: { id } }, body })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: PROFILES }),
    meta: { quiet },
  });
}

export function useDeleteProfile(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => data(api.DELETE("/api/profiles/{id}", { params: { path: { id } } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: PROFILES }),
    // Somebody may have begun to use it meanwhile: then the dialog tells.
    onError: () => queryClient.invalidateQueries({ queryKey: assignmentsQuery.queryKey }),
    meta: { quiet: true },
  });
}
