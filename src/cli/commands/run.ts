// stub
import type { Command } from 'commander';
export function registerRunCommands(_program: Command): void {}
