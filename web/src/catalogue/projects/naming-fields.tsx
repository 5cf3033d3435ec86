import { Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

export interface Naming {
  readonly pattern: string;
  readonly example: string;
  readonly description: string;
}

export const noNaming: Naming = { pattern: '', example: '', description: '' };

/** The engine of the server itself, so that both give the same result. */
const engineQuery = {
  queryKey: ['regular expressions'],
  queryFn: () => import('../../../../src/platform/regular-expression.ts'),
  staleTime: Number.POSITIVE_INFINITY,
};

/** Why a pattern or its example can't be saved; undefined while nothing is wrong, or nothing is known yet. */
export function useNamingFaults({ pattern, example }: Naming): {
  readonly pattern?: string;
  readonly example?: string;
  readonly matches: (name: string) => boolean | undefined;
} {
  const engine = useQuery({ ...engineQuery, enabled: pattern !== '' }).data;
  if (pattern === '' || !engine) return { matches: () => undefined };
  const fault = engine.expressionFault(pattern);
  if (fault !== undefined) {
    return { pattern: `Invalid pattern: ${fault}`, matches: () => undefined };
  }
  const matches = (name: string) => engine.compileExpression(pattern)?.isWhole(name) ?? false;
  return {
    ...(example !== '' && !matches(example) && { example: "Example doesn't match the pattern" }),
    matches,
  };
}

interface Props {
  readonly naming: Naming;
  readonly onChange: (naming: Naming) => void;
  readonly disabled?: boolean;
}

/** A pattern for the names of features, with an example, a description and a name to test. */
export function NamingFields({ naming, onChange, disabled = false }: Props) {
  const [tried, setTried] = useState('');
  const faults = useNamingFaults(naming);
  const set = (part: Partial<Naming>) => onChange({ ...naming, ...part });
  const fits = tried === '' ? undefined : faults.matches(tried);
  return (
    <Stack gap="sm">
      <TextInput
        label="Pattern"
        description="Regular expression (RE2) the whole name must match. Leave empty to allow any name."
        placeholder="[a-z]+-[a-z0-9-]+"
        value={naming.pattern}
        error={faults.pattern}
        disabled={disabled}
        spellCheck={false}
        autoComplete="off"
        onChange={({ currentTarget }) => set({ pattern: currentTarget.value })}
      />
      {naming.pattern !== '' && (
        <>
          <Group align="start" grow preventGrowOverflow={false} gap="sm">
            <TextInput
              label="Example"
              description="Shown when creating a feature"
              value={naming.example}
              error={faults.example}
              disabled={disabled}
              maxLength={100}
              spellCheck={false}
              miw={200}
              onChange={({ currentTarget }) => set({ example: currentTarget.value })}
            />
            <TextInput
              label="Test a name"
              description="Not saved"
              value={tried}
              spellCheck={false}
              miw={200}
              onChange={({ currentTarget }) => setTried(currentTarget.value)}
              rightSection={
                fits === undefined ? undefined : fits ? (
                  <IconCheck size={16} aria-hidden />
                ) : (
                  <IconX size={16} aria-hidden />
                )
              }
            />
          </Group>
          <Text size="sm" role="status" className="quiet">
            {fits !== undefined && (fits ? `“${tried}” matches` : `“${tried}” doesn't match`)}
          </Text>
          <Textarea
            label="Description"
            description="Explain the naming convention"
            value={naming.description}
            disabled={disabled}
            maxLength={1000}
            autosize
            minRows={2}
            onChange={({ currentTarget }) => set({ description: currentTarget.value })}
          />
        </>
      )}
    </Stack>
  );
}
