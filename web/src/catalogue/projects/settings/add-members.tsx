import { Alert, Button, Checkbox, Group, Modal, MultiSelect, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api.ts';
import { read } from '../../../queries.ts';
import { tellDone } from '../../../ui/notices.tsx';
import { counted } from '../words.ts';
import { type ProjectRole, refreshAccess } from './access-reads.ts';

/** The built-in role for whoever works on features. */
const memberRole = '5';

interface Props {
  readonly projectId: string;
  readonly roles: readonly ProjectRole[];
  /** Who has roles already, as `user 3` or `group 1`. */
  readonly present: ReadonlySet<string>;
  readonly onClose: () => void;
}

/** Gives people and groups roles in a project. */
export function AddMembers({ projectId, roles, present, onClose }: Props) {
  const everybody = useQuery(read('GET /api/admin/user-admin/access', {})).data;
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [granted, setGranted] = useState<readonly string[]>([memberRole]);
  const add = useMutation({
    mutationFn: () => {
      const idsOf = (kind: string) =>
        chosen.flatMap((each) => (each.startsWith(`${kind} `) ? [Number(each.split(' ')[1])] : []));
      return api('POST /api/admin/projects/:projectId/access', {
        params: { projectId },
        body: { roles: granted.map(Number), users: idsOf('user'), groups: idsOf('group') },
      });
    },
    onSuccess: async () => {
      await refreshAccess();
      onClose();
      tellDone({
        id: 'members added',
        title:
          chosen.length === 1
            ? 'The new member has access'
            : `${counted(chosen.length, 'new member')} have access`,
      });
    },
  });
  const isNew = ({ value }: { readonly value: string }) => !present.has(value);
  const people = (everybody?.users ?? [])
    .map(({ id, name, username, email }) => ({
      value: `user ${id}`,
      label: [name || username, email].filter(Boolean).join(' · ') || `User ${id}`,
    }))
    .filter(isNew);
  const groups = (everybody?.groups ?? [])
    .map(({ id, name, userCount }) => ({
      value: `group ${id}`,
      label: `${name} · ${counted(userCount, 'person', 'people')}`,
    }))
    .filter(isNew);
  return (
    <Modal
      opened
      onClose={onClose}
      title="Add members"
      size="lg"
      transitionProps={{ duration: 100 }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen.length > 0 && granted.length > 0) add.mutate();
        }}
      >
        <Stack>
          <MultiSelect
            label="People and groups"
            placeholder="Search by name or e-mail"
            searchable
            clearable
            data-autofocus
            limit={50}
            data={[
              { group: 'Groups', items: groups },
              { group: 'People and service accounts', items: people },
            ]}
            value={[...chosen]}
            onChange={setChosen}
            nothingFoundMessage="Nobody has this name"
            hidePickedOptions
          />
          <Checkbox.Group label="Roles" value={[...granted]} onChange={setGranted}>
            <Stack gap={8} mt={6}>
              {roles.map(({ id, name, description }) => (
                <Checkbox key={id} value={String(id)} label={name} description={description} />
              ))}
            </Stack>
          </Checkbox.Group>
          {granted.length === 0 && (
            <Text size="sm" className="quiet">
              Choose at least one role.
            </Text>
          )}
          {add.isError && (
            <Alert color="red" role="alert">
              {add.error.message}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              loading={add.isPending}
              disabled={chosen.length === 0 || granted.length === 0}
            >
              Add
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
