import { Alert, List, Skeleton, Stack, Text } from '@mantine/core';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../ui/lazy-part.ts';
import { type PlaygroundContext, parseContexts } from './contexts.ts';

const JsonEditor = lazyPart(() => import('../../ui/json-editor.tsx'), 'JsonEditor');

const written = (contexts: readonly PlaygroundContext[]): string =>
  JSON.stringify(contexts, null, 2);

interface Props {
  readonly contexts: readonly PlaygroundContext[];
  readonly onChange: (contexts: readonly PlaygroundContext[]) => void;
  /** What the server says of them. */
  readonly faults: readonly string[];
}

/** The same contexts as JSON. What cannot be read is not evaluated, and stays as it was typed. */
export function ContextJson({ contexts, onChange, faults }: Props) {
  const [typed, setTyped] = useState<string>();
  const read = typed === undefined ? undefined : parseContexts(typed);
  // What was typed is kept as long as it says what the address says.
  const isOwn =
    read?.faults !== undefined || JSON.stringify(read?.contexts) === JSON.stringify(contexts);
  const text = typed !== undefined && isOwn ? typed : written(contexts);
  const wrong = read?.faults ?? faults;
  return (
    <Stack gap="xs">
      <Suspense fallback={<Skeleton h={160} />}>
        <JsonEditor
          text={text}
          label="Contexts as JSON"
          onChange={(next) => {
            setTyped(next);
            const parsed = parseContexts(next);
            if (parsed.faults === undefined) onChange(parsed.contexts);
          }}
        />
      </Suspense>
      {wrong.length > 0 ? (
        <Alert color="red" role="alert" title="Fix these errors to see results">
          <List size="sm">
            {wrong.slice(0, 10).map((fault) => (
              <List.Item key={fault}>{fault}</List.Item>
            ))}
          </List>
        </Alert>
      ) : (
        <Text size="xs" className="quiet">
          One context or an array of contexts, as SDKs send them. An array of values is evaluated
          value by value.
        </Text>
      )}
    </Stack>
  );
}
