import { Alert, Button, Group, Modal, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { actorName } from '../../directory.ts';
import { read } from '../../queries.ts';
import { Actor } from '../../ui/actor.tsx';
import { UnifiedJsonDiff } from '../../ui/json-diff.tsx';
import { Since } from '../../ui/time.tsx';
import { useDirectory } from '../../use-directory.ts';
import classes from '../flags.module.css';
import { authorsText, causeOf, conflictTitle, sideText } from './conflict-words.ts';
import { type Conflict, keepMine, takeTheirs } from './merge.ts';
import { useFeatureView } from './view.ts';

const keyOf = (conflict: Conflict): string => {
  switch (conflict.kind) {
    case 'dependency':
      return `dependency ${conflict.parent}`;
    case 'variants':
      return `variants ${conflict.environment}`;
    case 'strategy':
      return `strategy ${conflict.key}`;
    case 'field':
      return `field ${conflict.key} ${conflict.field}`;
  }
};

/** As many events as others may have caused while someone edits. */
const readEvents = '50';

/** Who changed what is in conflict, and when. */
function useCauses() {
  const { feature } = useFeatureView();
  const found = useQuery(
    read('GET /api/admin/search/events', {
      query: { feature: `IS:${feature.name}`, limit: readEvents },
    }),
  );
  const directory = useDirectory();
  return (conflict: Conflict) => {
    const cause = causeOf(conflict, found.data?.events ?? []);
    if (!cause) return undefined;
    return { ...cause, name: actorName(cause, directory).name };
  };
}

function Both({
  conflict,
  onClose,
}: {
  readonly conflict: Conflict;
  readonly onClose: () => void;
}) {
  const { catalogue } = useFeatureView();
  const { where, field } = conflictTitle(conflict, catalogue.names);
  return (
    <Modal opened onClose={onClose} size="xl" title={`${where} · ${field}`}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {(['theirs', 'mine'] as const).map((side) => (
          <Stack key={side} gap="xs">
            <Title order={3} size="h6">
              {side === 'theirs' ? 'Theirs (saved)' : 'Yours (unsaved)'}
            </Title>
            <UnifiedJsonDiff before={conflict.before} after={conflict[side]} />
          </Stack>
        ))}
      </SimpleGrid>
    </Modal>
  );
}

/** What both changed, field by field: who saved what, and the choice. */
export function Conflicts({ conflicts }: { readonly conflicts: readonly Conflict[] }) {
  const { catalogue, change } = useFeatureView();
  const causeIn = useCauses();
  const [both, setBoth] = useState<Conflict>();
  const rows = conflicts.map((conflict) => ({
    conflict,
    cause: causeIn(conflict),
    ...conflictTitle(conflict, catalogue.names),
  }));
  const authors = authorsText(rows.flatMap(({ cause }) => cause?.name ?? []));
  return (
    <Alert color="yellow" role="alert" title={`${authors} changed this while you were editing`}>
      <Table.ScrollContainer minWidth={420}>
        <Table verticalSpacing={6} className={classes.conflicts}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Field</Table.Th>
              <Table.Th>Theirs (saved)</Table.Th>
              <Table.Th>Yours (unsaved)</Table.Th>
              <Table.Th>
                <span className={classes.hidden}>Actions</span>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ conflict, cause, where, field }) => (
              <Table.Tr key={keyOf(conflict)}>
                <Table.Td>
                  <Text size="sm" fw={600} dir="auto">
                    {field}
                  </Text>
                  <Text size="xs" className="quiet" dir="auto">
                    {where}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <Text size="sm" dir="auto">
                    {sideText(conflict, 'theirs', catalogue.names)}
                  </Text>
                  {cause && (
                    <Text size="xs" className="quiet">
                      <Actor name={cause.createdBy} id={cause.createdByUserId} /> ·{' '}
                      <Since instant={cause.createdAt} />
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>
                  <Text size="sm" dir="auto">
                    {sideText(conflict, 'mine', catalogue.names)}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <Group gap="xs" justify="flex-end">
                    <Button
                      size="compact-sm"
                      aria-label={`Keep mine: ${field}`}
                      onClick={() => change((draft) => keepMine(draft, conflict))}
                    >
                      Keep mine
                    </Button>
                    <Button
                      size="compact-sm"
                      variant="default"
                      aria-label={`Use theirs: ${field}`}
                      onClick={() => change((draft) => takeTheirs(draft, conflict))}
                    >
                      Use theirs
                    </Button>
                    <Button
                      size="compact-sm"
                      variant="default"
                      aria-label={`Compare: ${field}`}
                      onClick={() => setBoth(conflict)}
                    >
                      Compare
                    </Button>
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {both && <Both conflict={both} onClose={() => setBoth(undefined)} />}
    </Alert>
  );
}
