import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";

import { api, data, type Schemas } from "@/api/client";
import { keys } from "@/api/queries";

export type Webhook = Schemas["WebhookResponse"];
export type Delivery = Schemas["DeliveryResponse"];

const WEBHOOKS = ["webhooks"] as const;
const MOST_DELIVERIES = 100;
/** A letter that waits for its next attempt has no event of its own. */
const POLL_MS = 5_000;
/** Nor has one that is written a moment after its question came. */
const LOOK_MS = 15_000;

export const webhooksQuery = queryOptions({
  queryKey: WEBHOOKS,
  queryFn: async ({ signal }) => (await data(api.GET("/api/webhooks", { signal }))).items,
});

/** What was sent, the newest first. Its key begins with the approvals': each question that comes to wait is a letter. */
export const deliveriesQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.approvals, "deliveries", id],
    queryFn: async ({ signal }) => (await data(api.GET("/api/webhooks/{id}/deliveries", { params: { path: { id }, query: { limit: MOST_DELIVERIES } }, signal }))).items,
    refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === "pending") ? POLL_MS : LOOK_MS),
  });

export function useAddWebhook() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["CreateWebhookParams"]) => data(api.POST("/api/webhooks", { body })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: WEBHOOKS }),
    meta: { quiet: true },
  });
}

export function useDeleteWebhook() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => data(api.DELETE("/api/webhooks/{id}", { params: { path: { id } } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: WEBHOOKS }),
  });
}

export function useTestWebhook() {
  return useMutation({
    mutationFn: (id: string) => data(api.POST("/api/webhooks/{id}/test", { params: { path: { id } } })),
    meta: { quiet: true },
  });
}
