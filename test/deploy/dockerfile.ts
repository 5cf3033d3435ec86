/** One instruction of a Dockerfile, with its continuation lines. */
export interface Instruction {
  readonly name: string;
  readonly text: string;
}

export function instructionsIn(dockerfile: string): Instruction[] {
  return dockerfile
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name = '', text = ''] = /^(\w+)\s+(.*)$/.exec(line.trim()) ?? [];
      return { name, text };
    });
}

/** `["node", "x"]` is a program with its arguments; anything else is a shell command. */
export const argumentsIn = (text: string): string[] =>
  text.startsWith('[') ? (JSON.parse(text) as string[]) : ['/bin/sh', '-c', text];
