// SPDX-License-Identifier: Apache-2.0
/**
 * The command {@code scenario}: short texts with commands for RDMA devices, and the expected
 * packets, completions and refusals. Parses and runs them in virtual time, compares the output, and
 * shows a run step by step, as text or HTML. Verbs are called through {@code recording}; their
 * behaviour is in the emulator's core.
 */
package io.queuepair.tools.scenario;
