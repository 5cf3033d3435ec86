import { Badge, Group, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { read } from '../../queries.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { matches } from '../account-words.ts';
import classes from '../admin.module.css';
import type { PersonSearch } from '../admin-search.ts';
import { grouped, permissionNotes } from '../roles/permission-groups.ts';
import { Section } from '../section.tsx';
import { type Explained, grantsIn, held, sourceWords } from './grants.ts';

interface Props {
  readonly explained: Explained;
  /** "Ann", or "You" */
  readonly who: string;
  readonly search: PersonSearch;
  readonly onSearch: (search: PersonSearch) => void;
}

const installation = '*';

/** What somebody may do in a place, and which roles give it. */
export function ExplainedPermissions({ explained, who, search, onSearch }: Props) {
  const projects = useQuery(read('GET /api/admin/projects', {})).data?.projects ?? [];
  const nameOf = (id: string) => projects.find((project) => project.id === id)?.name ?? id;
  const { sources, permissions, isAdministrator } = explained;
  const project = projects.find(({ id }) => id === search.project);
  const found = held(
    grantsIn(
      permissions,
      search.project === undefined
        ? { kind: 'installation' }
        : { kind: 'project', id: search.project, isOpen: project?.mode === 'open' },
    ),
    sources,
  ).filter(({ permission, displayName }) => matches(`${permission} ${displayName}`, search.query));
  const groups = grouped(
    found.map((each) => ({ ...each, name: each.permission, type: 'root' as const })),
  );
  const withRole = new Set(sources.flatMap((source) => source.project ?? []));
  const label = (id: string, name: string) => (withRole.has(id) ? `${name} · has a role` : name);
  const verb = who === 'You' ? 'have' : 'has';
  return (
    <Stack>
      <Section title={who === 'You' ? 'Your roles' : `Roles of ${who}`}>
        <ul className={classes.permissionList}>
          {sources.map((source) => (
            <li key={`${source.role.id} ${source.group?.id} ${source.project}`}>
              <Text size="sm" fw={600} component="span">
                {sourceWords(source, nameOf)}
              </Text>
              <Text size="sm" className="quiet">
                {source.role.description}
              </Text>
            </li>
          ))}
        </ul>
      </Section>
      <Section
        title="What they allow"
        lead={
          isAdministrator
            ? `${who} ${who === 'You' ? 'are' : 'is'} an administrator, and may do everything everywhere. Other roles add nothing.`
            : 'Choose a place to see each permission and the role that gives it.'
        }
      >
        {!isAdministrator && (
          <>
            <Group gap="sm">
              <Select
                aria-label="Where"
                searchable
                allowDeselect={false}
                w={280}
                value={search.project ?? installation}
                onChange={(value) => {
                  const { project: _, ...rest } = search;
                  onSearch(
                    value === null || value === installation ? rest : { ...rest, project: value },
                  );
                }}
                data={[
                  { value: installation, label: 'In the installation' },
                  ...projects
                    .map(({ id, name }) => ({ value: id, label: label(id, name) }))
                    .sort(
                      (one, other) =>
                        Number(withRole.has(other.value)) - Number(withRole.has(one.value)) ||
                        one.label.localeCompare(other.label),
                    ),
                ]}
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
                  ? `${who} ${verb} no permission here.${
                      project?.mode === 'private' ? '' : ' Everybody who signs in may read.'
                    }`
                  : 'No permission matches.'}
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
