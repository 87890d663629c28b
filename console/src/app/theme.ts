// Theme of the Console for Mantine: deep-water blue, cool greys, system fonts.

import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';
import tokens from '../kit/tokens.module.css';

const tide: MantineColorsTuple = [
  '#edf6f9',
  '#d8e9ef',
  '#b0d3df',
  '#86bdce',
  '#63abc1',
  '#4a9db7',
  '#2f86a5',
  '#1e7391',
  '#105f7a',
  '#054b62',
];

const gray: MantineColorsTuple = [
  '#f7f9fb',
  '#eff3f6',
  '#e2e8ed',
  '#d3dbe2',
  '#b9c4ce',
  '#8f9ba7',
  '#5b6874',
  '#434e59',
  '#2c343d',
  '#1a2027',
];

const dark: MantineColorsTuple = [
  '#d3dae3',
  '#b0bac7',
  '#939eae',
  '#5d6877',
  '#333d49',
  '#29313c',
  '#1b222b',
  '#12171e',
  '#0d1218',
  '#080b10',
];

const SYSTEM_FONTS = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif';
const MONO_FONTS = 'ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace';

const small = { defaultProps: { size: 'sm' } };

const dialogTitle = { fontSize: 16, fontWeight: 620 };

export const theme = createTheme({
  colors: { tide, gray, dark },
  primaryColor: 'tide',
  primaryShade: { light: 8, dark: 7 },
  black: '#17202a',
  fontFamily: SYSTEM_FONTS,
  fontFamilyMonospace: MONO_FONTS,
  headings: { fontFamily: SYSTEM_FONTS, fontWeight: '620', textWrap: 'balance' },
  defaultRadius: 'sm',
  radius: { sm: '6px' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Text: small,
    Anchor: { defaultProps: { size: 'sm', underline: 'hover' } },
    Button: small,
    TextInput: small,
    PasswordInput: small,
    NumberInput: small,
    Select: small,
    Checkbox: small,
    Table: { defaultProps: { verticalSpacing: 8, horizontalSpacing: 'sm', fz: 'sm', borderColor: 'var(--line)' } },
    Skeleton: { classNames: { root: tokens.skeleton } },
    Badge: { defaultProps: { variant: 'light', radius: 'sm', tt: 'none', fw: 550 } },
    Modal: {
      defaultProps: { centered: true, closeButtonProps: { 'aria-label': 'Close' } },
      styles: { title: dialogTitle },
    },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } }, styles: { title: dialogTitle } },
    // Closed lists are not rendered: a page of filters would render every option of every list.
    Combobox: { defaultProps: { keepMounted: false } },
    // Modal and Drawer render a <header>. In a portal it would be a second banner of the page.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    DrawerHeader: { defaultProps: { role: 'presentation' } },
    // The placeholder is a child that the role `menu` does not permit.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false }, classNames: { item: tokens.menuItem } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } } },
  },
});

/**
 * Replaces two colours of Mantine without enough contrast: errors in small text on white, and placeholders on the dark
 * page.
 */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: { '--mantine-color-error': 'var(--bad)' },
  dark: { '--mantine-color-error': 'var(--bad)', '--mantine-color-placeholder': 'var(--mantine-color-dimmed)' },
});
