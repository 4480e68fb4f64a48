// SPDX-License-Identifier: Apache-2.0
/**
 * The cases of public test suites, in our own words: scripts that {@link
 * io.queuepair.tests.suites.ScriptedCasesTest} runs, tests of what no script can show, and {@link
 * io.queuepair.tests.suites.CaseIndex}, which knows what became of each case.
 */
package io.queuepair.tests.suites;
