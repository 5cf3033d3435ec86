import { Alert, Button, Group, List, Skeleton, Stack, Text } from '@mantine/core';
import { Suspense, useState } from 'react';
import { CopyButton } from '../../ui/copy-button.tsx';
import { GuardedButton } from '../../ui/guarded.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { draftFromJson, jsonOf } from './draft.ts';
import { useUnfinished } from './draft-store.ts';
import { readFeatureJson } from './feature-json.ts';
import { useFeatureRefusal } from './feature-refusal.ts';
import { useFeatureView } from './view.ts';

const JsonEditor = lazyPart(() => import('../../ui/json-editor.tsx'), 'JsonEditor');

/** The feature as JSON. Changes go into the same draft as all others. */
export function AsJson() {
  const { feature, draft, change } = useFeatureView();
  const refusal = useFeatureRefusal([
    'UPDATE_FEATURE_STRATEGY',
    'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
    'UPDATE_FEATURE_DEPENDENCY',
  ]);
  const current = JSON.stringify(jsonOf(feature, draft), null, 2);
  const [typed, setTyped] = useUnfinished(`json ${feature.name}`);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const text = typed ?? current;
  const isChanged = text !== current;
  const apply = () => {
    const read = readFeatureJson(text, feature);
    if ('problems' in read) {
      setProblems(read.problems);
      return;
    }
    setProblems([]);
    setTyped(undefined);
    change(() => draftFromJson(feature, read.json));
  };
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text size="sm" className="quiet">
          Environments and dependencies, including unsaved changes. Omit id to add a strategy.
        </Text>
        <Group gap="xs">
          <CopyButton text={text} />
          {isChanged && (
            <Button
              size="xs"
              variant="default"
              onClick={() => {
                setTyped(undefined);
                setProblems([]);
              }}
            >
              Reset
            </Button>
          )}
          <GuardedButton
            size="xs"
            refusal={refusal ?? (isChanged ? undefined : 'No changes to apply')}
            onClick={apply}
          >
            Apply JSON
          </GuardedButton>
        </Group>
      </Group>
      {problems.length > 0 && (
        <Alert color="red" role="alert" title="Couldn't apply JSON">
          <List size="sm">
            {problems.slice(0, 20).map((problem) => (
              <List.Item key={problem}>{problem}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      <Suspense fallback={<Skeleton h={400} />}>
        <JsonEditor
          label="Feature JSON"
          text={text}
          isReadOnly={refusal !== undefined}
          onChange={(next) => setTyped(next === current ? undefined : next)}
        />
      </Suspense>
    </Stack>
  );
}
