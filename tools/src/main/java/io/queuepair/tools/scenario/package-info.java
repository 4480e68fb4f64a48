// SPDX-License-Identifier: Apache-2.0
/**
 * The scenario command: small texts that show what RDMA does, with the packets, completions and
 * refusals that are expected. Reads them, runs them in virtual time, compares, and shows a run step
 * by step, as text or as a page. Verbs are called through {@code recording}; what they do is the
 * core's.
 */
package io.queuepair.tools.scenario;
