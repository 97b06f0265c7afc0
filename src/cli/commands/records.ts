// stub
import type { Command } from 'commander';
export function registerRecordCommands(_program: Command): void {}
