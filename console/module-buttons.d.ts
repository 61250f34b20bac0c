declare module 'virtual:module-buttons' {
  type Button = import('./kit/button.ts').ButtonDeclaration & {
    module: string;
    load(): Promise<{ default: import('vue').Component }>;
  };
  export const moduleButtons: Button[];
}
