import { Alert, Button, Group, List, Modal, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { read } from '../../queries.ts';
import { UnifiedJsonDiff } from '../../ui/json-diff.tsx';
import { Since } from '../../ui/time.tsx';
import classes from '../flags.module.css';
import { strategyDifferences, variantWords } from '../strategy/differences.ts';
import { type SegmentNames, strategyName } from '../strategy/strategy-sentence.ts';
import { type Conflict, dependencyWords, keepMine, takeTheirs } from './draft.ts';
import { useFeatureView } from './view.ts';

/** What one side made of it, in words. */
function wordsOf(conflict: Conflict, side: 'theirs' | 'mine', names: SegmentNames): string[] {
  if (conflict.kind === 'strategy') {
    const after = conflict[side];
    if (!after) return ['removed it'];
    return strategyDifferences(conflict.before, after, names).map(({ words }) => words);
  }
  if (conflict.kind === 'variants') return variantWords(conflict.before, conflict[side]);
  return conflict[side].map((dependency) => `depends ${dependencyWords(dependency)}`);
}

const titleOf = (conflict: Conflict, names: SegmentNames): string => {
  if (conflict.kind === 'dependencies') return 'Dependencies';
  if (conflict.kind === 'variants') return `Variants in ${conflict.environment}`;
  return `${conflict.environment}: ${strategyName(conflict.before, names)}`;
};

const keyOf = (conflict: Conflict) =>
  conflict.kind === 'dependencies'
    ? conflict.kind
    : `${conflict.environment} ${conflict.kind === 'strategy' ? conflict.key : 'variants'}`;

/** Who changed the feature last, and when. */
function useLastAuthor(feature: string) {
  const found = useQuery(
    read('GET /api/admin/search/events', { query: { feature: `IS:${feature}`, limit: '1' } }),
  );
  return found.data?.events[0];
}

function Both({
  conflict,
  onClose,
}: {
  readonly conflict: Conflict;
  readonly onClose: () => void;
}) {
  const { catalogue } = useFeatureView();
  return (
    <Modal opened onClose={onClose} size="xl" title={titleOf(conflict, catalogue.names)}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {(['theirs', 'mine'] as const).map((side) => (
          <Stack key={side} gap="xs">
            <Title order={3} size="h6">
              {side === 'theirs' ? 'Theirs, saved' : 'Mine, not saved'}
            </Title>
            <List size="sm" className={classes.words}>
              {wordsOf(conflict, side, catalogue.names).map((words, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the list stays while it is shown
                <List.Item key={index}>{words}</List.Item>
              ))}
            </List>
            <UnifiedJsonDiff before={conflict.before} after={conflict[side]} />
          </Stack>
        ))}
      </SimpleGrid>
    </Modal>
  );
}

/** Where somebody else changed what is being changed here: who, what, and the choice. */
export function Conflicts({ conflicts }: { readonly conflicts: readonly Conflict[] }) {
  const { feature, catalogue, change } = useFeatureView();
  const last = useLastAuthor(feature.name);
  const [both, setBoth] = useState<Conflict>();
  return (
    <Alert
      color="yellow"
      role="alert"
      title={
        <>
          {last ? `${last.createdBy} changed` : 'Somebody else changed'} what you are changing
          {last && (
            <>
              , <Since instant={last.createdAt} />
            </>
          )}
        </>
      }
    >
      <Stack gap="sm">
        {conflicts.map((conflict) => (
          <div key={keyOf(conflict)}>
            <Text size="sm" fw={600} className={classes.title}>
              {titleOf(conflict, catalogue.names)}
            </Text>
            <Text size="sm" className={classes.title}>
              Theirs: {wordsOf(conflict, 'theirs', catalogue.names).join('; ')}
            </Text>
            <Text size="sm" className={classes.title}>
              Mine: {wordsOf(conflict, 'mine', catalogue.names).join('; ')}
            </Text>
            <Group gap="xs" mt={6}>
              <Button
                size="compact-sm"
                onClick={() => change((draft) => keepMine(draft, conflict))}
              >
                Keep mine on top
              </Button>
              <Button
                size="compact-sm"
                variant="default"
                onClick={() => change((draft) => takeTheirs(draft, conflict))}
              >
                Take theirs
              </Button>
              <Button size="compact-sm" variant="default" onClick={() => setBoth(conflict)}>
                Look at both
              </Button>
            </Group>
          </div>
        ))}
      </Stack>
      {both && <Both conflict={both} onClose={() => setBoth(undefined)} />}
    </Alert>
  );
}
