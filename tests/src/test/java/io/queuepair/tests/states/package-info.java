// SPDX-License-Identifier: Apache-2.0
/**
 * What each state of a queue pair means for each of its types: which work is taken, what is
 * processed, what is flushed and with which words. Expectations come from the specification and the
 * man pages.
 */
package io.queuepair.tests.states;
