import type { ComponentType } from "react";

export interface CustomSectionProps {
  value: unknown;
  label: string;
  config: Record<string, unknown>;
}

/** Renderers of `custom` sections, by the name in the section's `config.renderer`. A product adds its own before it shows any. */
const renderers = new Map<string, ComponentType<CustomSectionProps>>();

export function registerRenderer(name: string, renderer: ComponentType<CustomSectionProps>): void {
  renderers.set(name, renderer);
}

export function rendererOf(name: unknown): ComponentType<CustomSectionProps> | undefined {
  return typeof name === "string" ? renderers.get(name) : undefined;
}
