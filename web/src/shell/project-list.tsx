import { Combobox, Text, useCombobox } from '@mantine/core';
import { IconCheck, IconStarFilled } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { cloneElement, type ReactElement, useEffect, useState } from 'react';
import type { Response } from '../api.ts';
import { useMe } from '../me.ts';
import { best } from './palette/rank.ts';
import { useRecent } from './recent.ts';
import classes from './shell.module.css';

type Project = Response<'GET /api/admin/projects'>['projects'][number];

const recentShown = 5;

/** Favorites, then recently viewed, then the rest: each project once. */
function grouped(projects: readonly Project[], recentIds: readonly string[]) {
  const favorites = projects.filter(({ favorite }) => favorite);
  const recent = recentIds
    .flatMap((id) => projects.find((project) => project.id === id) ?? [])
    .filter(({ favorite }) => !favorite)
    .slice(0, recentShown);
  const shown = new Set([...favorites, ...recent]);
  return [
    { label: 'Favorites', projects: favorites },
    { label: 'Recent', projects: recent },
    { label: 'All projects', projects: projects.filter((project) => !shown.has(project)) },
  ].filter((group) => group.projects.length > 0);
}

interface ChoiceProps {
  readonly projects: readonly Project[];
  readonly projectId: string | undefined;
  readonly text: string;
}

function Choice({ projects, projectId, text }: ChoiceProps) {
  const { user } = useMe();
  const recent = useRecent(user.id);
  const found = best(projects, text, {
    nameOf: ({ id, name }) => `${name} ${id}`,
    limit: 200,
  }).map(({ item }) => item);
  const groups =
    text.trim() === ''
      ? grouped(projects, [...new Set(recent.map(({ project }) => project))])
      : [{ label: 'Results', projects: found }];
  return (
    <>
      {groups.map(({ label, projects: ofGroup }) => (
        <Combobox.Group key={label} label={label}>
          {ofGroup.map(({ id, name, favorite }) => (
            <Combobox.Option key={id} value={id} active={id === projectId}>
              <span className={classes.option}>
                <span className={classes.switcherName}>{name}</span>
                {favorite && <IconStarFilled size={12} aria-label="Favorite" />}
                {id === projectId && <IconCheck size={14} aria-label="Current project" />}
              </span>
            </Combobox.Option>
          ))}
        </Combobox.Group>
      ))}
      {text.trim() !== '' && found.length === 0 && (
        <Combobox.Empty>
          <Text size="sm">No matching projects</Text>
        </Combobox.Empty>
      )}
    </>
  );
}

interface Props {
  readonly projects: readonly Project[];
  readonly projectId: string | undefined;
  /** Opens and closes the list. */
  readonly button: ReactElement<{ readonly onClick: () => void }>;
  readonly onGo: () => void;
}

/** The projects below the button that has just been clicked. */
export function ProjectList({ projects, projectId, button, onGo }: Props) {
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const combobox = useCombobox({
    defaultOpened: true,
    onDropdownClose: () => {
      setText('');
      combobox.resetSelectedOption();
    },
    onDropdownOpen: () => combobox.focusSearchInput(),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, because it opens with the click that loads it
  useEffect(() => combobox.focusSearchInput(), []);

  return (
    <Combobox
      store={combobox}
      width={280}
      position="bottom-start"
      withinPortal
      transitionProps={{ duration: 0 }}
      onOptionSubmit={(id) => {
        combobox.closeDropdown();
        onGo();
        void navigate({ to: '/projects/$projectId', params: { projectId: id } });
      }}
    >
      <Combobox.Target targetType="button">
        {cloneElement(button, { onClick: () => combobox.toggleDropdown() })}
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          aria-label="Search projects"
          placeholder="Search projects…"
          value={text}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value);
            combobox.updateSelectedOptionIndex();
          }}
        />
        <Combobox.Options mah={320} style={{ overflowY: 'auto' }}>
          <Choice projects={projects} projectId={projectId} text={text} />
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
