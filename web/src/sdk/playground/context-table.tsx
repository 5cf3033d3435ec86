import { ActionIcon, Button, Group, Table, Text } from '@mantine/core';
import { IconCopyPlus, IconPlus, IconTrash, IconX } from '@tabler/icons-react';
import type { Response } from '../../api.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import { AddField, ContextValue } from './context-input.tsx';
import {
  cellText,
  fieldsOf,
  isPlain,
  maxContexts,
  type PlaygroundContext,
  withCell,
  withField,
  withoutField,
} from './contexts.ts';
import classes from './playground.module.css';

type ContextField = Response<'GET /api/admin/context'>[number];

/** Fields that every SDK knows. */
const builtIn = ['userId', 'sessionId', 'remoteAddress', 'appName', 'currentTime'];

/** What the server says of a field of a context, by `0/userId`. */
export type CellFaults = ReadonlyMap<string, string>;

interface Props {
  readonly contexts: readonly PlaygroundContext[];
  readonly onChange: (contexts: readonly PlaygroundContext[]) => void;
  readonly catalogue: readonly ContextField[];
  /** Fields on which the features depend, the most frequent first. */
  readonly inUse: readonly string[];
  readonly faults: CellFaults;
}

/** Contexts as a table: a row for each, a column for each field. */
export function ContextTable({ contexts, onChange, catalogue, inUse, faults }: Props) {
  const fields = fieldsOf(contexts);
  const known = [...inUse, ...catalogue.map(({ name }) => name), ...builtIn];
  const others = [...new Set(known)].filter((field) => !fields.includes(field));
  const hinted = inUse.filter((field) => !fields.includes(field)).slice(0, 6);
  const isFull = contexts.length >= maxContexts;
  const addRow = (context: PlaygroundContext, at: number) =>
    onChange(contexts.toSpliced(at, 0, context));
  return (
    <>
      <Table.ScrollContainer
        minWidth={160 + fields.length * 180}
        className="card"
        scrollAreaProps={{ viewportProps: { tabIndex: 0 }, offsetScrollbars: 'present' }}
      >
        <Table verticalSpacing={6} horizontalSpacing="xs" className={classes.contexts ?? ''}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th className={classes.place ?? ''}>
                <span className={classes.unseen}>Context</span>
              </Table.Th>
              {fields.map((field) => (
                <Table.Th key={field}>
                  <Group gap={4} wrap="nowrap">
                    <span className={classes.field}>{field}</span>
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      size="sm"
                      aria-label={`Remove ${field}`}
                      onClick={() => onChange(withoutField(contexts, field))}
                    >
                      <IconX size={12} aria-hidden />
                    </ActionIcon>
                  </Group>
                </Table.Th>
              ))}
              <Table.Th ta="right" colSpan={fields.length === 0 ? 2 : 1}>
                <AddField
                  variant="subtle"
                  fields={others}
                  inUse={inUse}
                  onAdd={(field) => onChange(withField(contexts, field))}
                />
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {contexts.map((context, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a context has no other name than its place
              <Table.Tr key={row}>
                <Table.Th scope="row" className={`tabular ${classes.place}`}>
                  {row + 1}
                </Table.Th>
                {fields.map((field) => {
                  const value = context[field];
                  const set = (text: string) => onChange(withCell(contexts, row, field, text));
                  const legal = catalogue.find(({ name }) => name === field)?.legalValues ?? [];
                  const input = {
                    'aria-label': `${field}, context ${row + 1}`,
                    size: 'xs' as const,
                    value: cellText(value),
                    error: faults.get(`${row}/${field}`),
                    placeholder: field === 'currentTime' ? 'now' : '',
                    readOnly: !isPlain(value),
                  };
                  return (
                    <Table.Td key={field} className={classes.cell ?? ''}>
                      <ContextValue {...input} legalValues={legal} onChange={set} />
                    </Table.Td>
                  );
                })}
                {fields.length === 0 && (
                  <Table.Td className="quiet">Empty context. Add a field such as userId.</Table.Td>
                )}
                <Table.Td ta="right">
                  <Group gap={4} wrap="nowrap" justify="flex-end">
                    <Tooltip label="Duplicate">
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        aria-label={`Duplicate context ${row + 1}`}
                        disabled={isFull}
                        onClick={() => addRow(context, row + 1)}
                      >
                        <IconCopyPlus size={16} aria-hidden />
                      </ActionIcon>
                    </Tooltip>
                    {contexts.length > 1 && (
                      <Tooltip label="Remove">
                        <ActionIcon
                          variant="subtle"
                          color="gray"
                          aria-label={`Remove context ${row + 1}`}
                          onClick={() => onChange(contexts.toSpliced(row, 1))}
                        >
                          <IconTrash size={16} aria-hidden />
                        </ActionIcon>
                      </Tooltip>
                    )}
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Group gap="xs" mt={6} justify="space-between">
        <Button
          variant="subtle"
          size="compact-sm"
          className="flush"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={isFull}
          onClick={() =>
            addRow(Object.fromEntries(fields.map((field) => [field, ''])), contexts.length)
          }
        >
          Add context
        </Button>
        <Text size="xs" className="quiet">
          Separate values with commas to evaluate every combination. Empty cells are ignored.
        </Text>
      </Group>
      {hinted.length > 0 && (
        <Group gap={6} mt={6}>
          <Text size="sm" className="quiet">
            Also used by these features
          </Text>
          {hinted.map((field) => (
            <Button
              key={field}
              size="compact-xs"
              variant="default"
              leftSection={<IconPlus size={12} aria-hidden />}
              aria-label={`Add ${field}`}
              onClick={() => onChange(withField(contexts, field))}
            >
              {field}
            </Button>
          ))}
        </Group>
      )}
    </>
  );
}
