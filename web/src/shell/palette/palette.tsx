import { Combobox, Kbd, Modal, Text, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue, useWindowEvent } from '@mantine/hooks';
import { IconFlag, IconFolder, IconSearch, IconUser } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useReducer, useState } from 'react';
import { written } from '../../events/query/grammar.ts';
import { useImpact } from '../../flags/impact.tsx';
import { useMe } from '../../me.ts';
import { read } from '../../queries.ts';
import { WithCode } from '../../ui/with-code.tsx';
import { useDirectory } from '../../use-directory.ts';
import { keyOf, useRecent } from '../recent.ts';
import { useActions, useSwitches } from './actions.tsx';
import { commandOf } from './command.ts';
import { featureNamesQuery } from './feature-names.ts';
import { matching } from './groups.ts';
import { usePages } from './pages.tsx';
import classes from './palette.module.css';
import { best } from './rank.ts';
import type { Group, Thing } from './things.ts';

function useFeatures(): readonly Thing[] {
  const navigate = useNavigate();
  const projects = useQuery(read('GET /api/admin/projects', {})).data?.projects;
  const features = useQuery(featureNamesQuery).data?.features;
  return useMemo(() => {
    const names = new Map(projects?.map((project) => [project.id, project.name]));
    return (features ?? []).map(({ name, project }) => ({
      id: `feature ${name}`,
      label: name,
      hint: names.get(project) ?? project,
      icon: <IconFlag size={16} />,
      run: () =>
        void navigate({
          to: '/projects/$projectId/features/$featureName',
          params: { projectId: project, featureName: name },
        }),
    }));
  }, [features, projects, navigate]);
}

function useProjects(): readonly Thing[] {
  const navigate = useNavigate();
  const projects = useQuery(read('GET /api/admin/projects', {})).data?.projects;
  return useMemo(
    () =>
      (projects ?? []).map(({ id, name }) => ({
        id: `project ${id}`,
        label: name,
        hint: id,
        words: id,
        icon: <IconFolder size={16} />,
        run: () => void navigate({ to: '/projects/$projectId', params: { projectId: id } }),
      })),
    [projects, navigate],
  );
}

function useUsers(): readonly Thing[] {
  const navigate = useNavigate();
  const { users } = useDirectory();
  return useMemo(
    () =>
      users.map(({ id, name, note }) => ({
        id: `user ${id}`,
        label: name,
        words: note,
        hint: 'Activity',
        icon: <IconUser size={16} />,
        run: () => void navigate({ to: '/history', search: { q: `actor:${written(name)}` } }),
      })),
    [users, navigate],
  );
}

/** Shown before anything is typed: recently viewed, and what can be done here. */
function useSuggestions(
  all: readonly Thing[],
  { here, everywhere }: ReturnType<typeof useActions>,
  pages: readonly Thing[],
): readonly Group[] {
  const { user } = useMe();
  const recent = useRecent(user.id);
  return useMemo(() => {
    const byId = new Map(all.map((thing) => [thing.id, thing]));
    const seen = recent.flatMap((place) => byId.get(keyOf(place)) ?? []).slice(0, 6);
    return [
      { label: 'Recent', things: seen },
      { label: 'On this page', things: here },
      { label: 'Go to', things: pages },
      { label: 'Actions', things: everywhere },
    ].filter(({ things }) => things.length > 0);
  }, [all, recent, here, everywhere, pages]);
}

/** A feature whose name contains the typed text. Letters in order are no reason to switch something. */
const leastQuality = 40;

/** So many features are listed if the text asks to enable or disable one and matches several. */
const mostNamed = 5;

/** The switches of the features that the typed text names best, and whether it asks for one of them. */
function useNamedSwitches(typed: string) {
  const features = useQuery(featureNamesQuery).data?.features;
  const { verb, name, environment = '' } = commandOf(typed) ?? {};
  const subjects = useMemo(
    () =>
      best(name === undefined ? [] : (features ?? []), name ?? '', {
        nameOf: (feature) => feature.name,
        limit: verb === undefined ? 1 : mostNamed,
      })
        .filter(({ quality }) => quality >= leastQuality)
        .map(({ item }) => ({ projectId: item.project, featureName: item.name })),
    [features, name, verb],
  );
  const names = subjects.map(({ featureName }) => featureName).join(' ');
  const [settled] = useDebouncedValue(names, 150);
  const switches = useSwitches(names === settled ? subjects : []);
  const groups = subjects.map(({ featureName }, nth) => ({
    label: featureName,
    things: (switches[nth] ?? []).filter(
      (each) =>
        (verb === undefined || each.verb === verb) &&
        each.environment.toLowerCase().startsWith(environment),
    ),
  }));
  // Enter never reaches production first, unless it is named.
  const [first] = groups.flatMap(({ things }) => things);
  const isSafe = first?.isProduction !== true || environment !== '';
  return { groups, isMeant: (verb !== undefined || environment !== '') && isSafe };
}

/** What is confirmed, with the evaluations that it affects. */
function Question({ asksFirst }: Pick<Thing, 'asksFirst'>) {
  const impact = useImpact(asksFirst?.feature ?? '', asksFirst?.environment);
  return <>{impact !== undefined && `${impact} · `}Press Enter to confirm</>;
}

/** Only when the field is drawn after its list, Mantine says that it is expanded and which list it controls. */
function AfterList({ redraw }: { readonly redraw: () => void }) {
  useEffect(redraw, [redraw]);
  return null;
}

interface Props {
  readonly onClose: () => void;
  readonly onOpenSheet: () => void;
}

/** Finds features, projects, users and pages, and runs commands. */
export function Palette({ onClose, onOpenSheet }: Props) {
  const { user } = useMe();
  const [typed, setTyped] = useState('');
  const [asked, setAsked] = useState<Thing>();
  const combobox = useCombobox({ opened: true });
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const features = useFeatures();
  const projects = useProjects();
  const users = useUsers();
  const pages = usePages();
  const areNamesPending = useQuery(featureNamesQuery).isPending;
  const actions = useActions(onOpenSheet);
  const recent = useRecent(user.id);
  const places = useMemo(() => [...features, ...projects], [features, projects]);
  const suggestions = useSuggestions(places, actions, pages);
  const named = useNamedSwitches(typed);
  const switchIds = new Set(
    named.groups.flatMap(({ things: switches }) => switches.map(({ id }) => id)),
  );
  const found =
    typed.trim() === ''
      ? suggestions
      : matching(
          [
            { label: 'Features', things: features, limit: 12, weight: 10 },
            { label: 'Projects', things: projects, limit: 6, weight: 5 },
            {
              label: 'Actions',
              things: [...actions.here, ...actions.everywhere].filter(
                ({ id }) => !switchIds.has(id),
              ),
              limit: 8,
              weight: 5,
              keepsOrder: true,
            },
            { label: 'Go to', things: pages, limit: 6, weight: 5 },
            { label: 'Users', things: users, limit: 4, weight: -25 },
          ],
          typed,
          new Set(recent.map(keyOf)),
        );
  const [firstGroup, ...otherGroups] = found;
  const groups = (
    named.isMeant
      ? [...named.groups, ...found]
      : [...(firstGroup ? [firstGroup] : []), ...named.groups, ...otherGroups]
  ).filter(({ things }) => things.length > 0);
  const things = groups.flatMap((group) => group.things);
  const first = things[0]?.id;

  // The best match is selected after each key, and when the names arrive.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the store is another object at each rendering
  useEffect(() => void combobox.selectFirstOption(), [typed, first]);

  // The list would take the key for itself.
  useWindowEvent(
    'keydown',
    (event) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      onClose();
    },
    { capture: true },
  );

  // Closing restores the focus.
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (before instanceof HTMLElement) before.focus();
    },
    [before],
  );

  function choose(id: string) {
    const thing = things.find((each) => each.id === id);
    if (!thing || thing.refusal !== undefined) return;
    if (thing.asksFirst && asked?.id !== id) {
      setAsked(thing);
      return;
    }
    onClose();
    void thing.run();
  }

  return (
    <Modal
      opened
      onClose={onClose}
      returnFocus={false}
      withCloseButton={false}
      title="Search or run a command"
      classNames={{ header: classes.header ?? '', body: classes.body ?? '' }}
      size={620}
      yOffset="12dvh"
      padding={0}
      transitionProps={{ duration: 0 }}
      overlayProps={{ transitionProps: { duration: 0 } }}
    >
      <Combobox store={combobox} onOptionSubmit={choose}>
        <Combobox.EventsTarget withExpandedAttribute>
          <TextInput
            data-autofocus
            // The dialog gives the focus a moment later, and letters that are typed at once would be lost.
            autoFocus
            aria-label="Search or run a command"
            placeholder="Search features, projects, users, and pages, or run a command…"
            size="lg"
            variant="unstyled"
            className={classes.field}
            leftSection={<IconSearch size={18} aria-hidden />}
            value={typed}
            onChange={({ currentTarget }) => {
              setTyped(currentTarget.value);
              setAsked(undefined);
            }}
          />
        </Combobox.EventsTarget>
        {/* Mantine would replace its first id after the field was drawn, which then controls a list that does not exist. */}
        <Combobox.Options id="palette-results" className={classes.options} aria-label="Results">
          {groups.map(({ label, things: ofGroup }) => (
            <Combobox.Group key={label} label={label}>
              {ofGroup.map(({ id, label: text, hint, keys, icon, refusal }) => (
                <Combobox.Option
                  key={id}
                  value={id}
                  className={classes.option}
                  aria-disabled={refusal !== undefined || undefined}
                >
                  <span className={classes.icon} aria-hidden>
                    {icon}
                  </span>
                  <span className={classes.label}>{text}</span>
                  <span className={classes.hint} data-asked={asked?.id === id || undefined}>
                    {asked?.id === id ? (
                      <Question asksFirst={asked.asksFirst} />
                    ) : refusal === undefined ? (
                      hint
                    ) : (
                      <WithCode text={refusal} />
                    )}
                  </span>
                  {keys && refusal === undefined && (
                    <span className={classes.keys}>
                      {keys.map((key) => (
                        <Kbd key={key} size="xs">
                          {key}
                        </Kbd>
                      ))}
                    </span>
                  )}
                </Combobox.Option>
              ))}
            </Combobox.Group>
          ))}
          {things.length === 0 && (
            <Combobox.Empty>
              <Text size="sm">
                {areNamesPending ? 'Loading…' : `No results for “${typed.trim()}”`}
              </Text>
            </Combobox.Empty>
          )}
        </Combobox.Options>
        <AfterList redraw={redraw} />
      </Combobox>
      <div className={classes.footer} aria-hidden>
        <span>
          <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> navigate
        </span>
        <span>
          <Kbd size="xs">Enter</Kbd> select
        </span>
        <span>
          <Kbd size="xs">Esc</Kbd> close
        </span>
      </div>
    </Modal>
  );
}
