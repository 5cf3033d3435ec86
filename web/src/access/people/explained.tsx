import { Badge, Group, Select, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { read } from '../../queries.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { matches } from '../account-words.ts';
import classes from '../admin.module.css';
import type { PersonSearch } from '../admin-search.ts';
import { grouped, permissionNotes } from '../roles/permission-groups.ts';
import { Section } from '../section.tsx';
import {
  accessWithoutPermissions,
  type Explained,
  grantsIn,
  held,
  scopeGroups,
  sourceWords,
} from './grants.ts';

interface Props {
  readonly explained: Explained;
  readonly search: PersonSearch;
  readonly onSearch: (search: PersonSearch) => void;
}

const instance = '*';

/** The roles of a user, and the permissions that they grant in a scope. */
export function ExplainedPermissions({ explained, search, onSearch }: Props) {
  const projects = useQuery(read('GET /api/admin/projects', {})).data?.projects ?? [];
  const nameOf = (id: string) => projects.find((project) => project.id === id)?.name ?? id;
  const { sources, permissions, isAdministrator } = explained;
  const project = projects.find(({ id }) => id === search.project);
  const found = held(
    grantsIn(
      permissions,
      search.project === undefined
        ? { kind: 'instance' }
        : { kind: 'project', id: search.project, isOpen: project?.mode === 'open' },
    ),
    sources,
  ).filter(({ permission, displayName }) => matches(`${permission} ${displayName}`, search.query));
  const groups = grouped(
    found.map((each) => ({ ...each, name: each.permission, type: 'root' as const })),
  );
  return (
    <Stack>
      <Section title="Roles">
        <div className={classes.frame}>
          <Table verticalSpacing={6} aria-label="Roles">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Role</Table.Th>
                <Table.Th>Scope</Table.Th>
                <Table.Th>Source</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {sources.map(({ role, group, project: id }) => (
                <Table.Tr key={`${role.id} ${group?.id} ${id}`}>
                  <Table.Td title={role.description}>{role.name}</Table.Td>
                  <Table.Td>{id === null ? 'Instance' : nameOf(id)}</Table.Td>
                  <Table.Td>{group ? `Group ${group.name}` : 'Direct'}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      </Section>
      <Section
        title="Effective permissions"
        lead={
          isAdministrator
            ? 'Admins have full access. Other roles have no additional effect.'
            : 'Select a scope to see each permission and the role that grants it.'
        }
      >
        {!isAdministrator && (
          <>
            <Group gap="sm">
              <Select
                aria-label="Scope"
                searchable
                allowDeselect={false}
                w={280}
                value={search.project ?? instance}
                onChange={(value) => {
                  const { project: _, ...rest } = search;
                  onSearch(
                    value === null || value === instance ? rest : { ...rest, project: value },
                  );
                }}
                data={[{ value: instance, label: 'Instance' }, ...scopeGroups(projects, sources)]}
              />
              <SearchField
                label="Search permissions"
                value={search.query ?? ''}
                onChange={(text) => {
                  const { query: _, ...rest } = search;
                  onSearch(text === '' ? rest : { ...rest, query: text });
                }}
              />
            </Group>
            {found.length === 0 && (
              <Text size="sm">
                {search.query === undefined
                  ? accessWithoutPermissions(project, sources)
                  : 'No matching permissions'}
              </Text>
            )}
            {groups.map(([group, ofGroup]) => (
              <div key={group}>
                <Text size="xs" fw={600} className="quiet" mb={4}>
                  {group}
                </Text>
                <ul className={`card ${classes.grants}`}>
                  {ofGroup.map(({ permission, displayName, environments, sources: through }) => (
                    <li key={permission} className={classes.grant}>
                      <div>
                        <Text size="sm" fw={500} title={permission}>
                          {displayName}
                          {environments.length > 0 && ` in ${environments.join(', ')}`}
                        </Text>
                        <Text size="xs" className="quiet">
                          {permissionNotes[permission]}
                        </Text>
                      </div>
                      <Group gap={6}>
                        {through.map((source) => {
                          const words = sourceWords(source, nameOf);
                          return (
                            <Badge
                              key={`${words} ${source.role.id}`}
                              variant="default"
                              tt="none"
                              fw={500}
                              styles={{ label: { whiteSpace: 'normal' } }}
                              h="auto"
                              py={3}
                            >
                              {words}
                            </Badge>
                          );
                        })}
                      </Group>
                    </li>
                  ))}
                </ul>
              </div>
            ))}
          </>
        )}
      </Section>
    </Stack>
  );
}
