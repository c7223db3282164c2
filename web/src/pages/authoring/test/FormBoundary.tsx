import { Component, type ReactNode } from "react";

interface Props {
  /** Another schema is another try. */
  schema: unknown;
  fallback: ReactNode;
  children: ReactNode;
}

/** A schema that is being written may be one that no form can be made of: the editor around it goes on. */
export class FormBoundary extends Component<Props, { broken: unknown }> {
  override state: { broken: unknown } = { broken: undefined };

  override componentDidCatch(): void {
    this.setState({ broken: this.props.schema });
  }

  static getDerivedStateFromError(): { broken: unknown } {
    return { broken: null };
  }

  override componentDidUpdate(before: Props): void {
    if (before.schema !== this.props.schema && this.state.broken !== undefined) this.setState({ broken: undefined });
  }

  override render(): ReactNode {
    return this.state.broken === undefined ? this.props.children : this.props.fallback;
  }
}
