// Types of the checks, for their tests.
declare module '*/arrows.mjs' {
  export function checkArrows(file: string, text: string): string[];
}
declare module '*/cores.mjs' {
  export function checkCore(file: string, text: string): string[];
}
declare module '*/rules.mjs' {
  export function definedRules(top: string): Record<string, Set<string>>;
  export function checkRules(file: string, text: string, rules: Record<string, Set<string>>): string[];
}
declare module '*/tidy.mjs' {
  export function checkTidy(file: string, text: string): string[];
}
