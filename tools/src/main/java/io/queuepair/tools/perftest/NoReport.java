// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

/** Reports nothing. */
final class NoReport implements Report {}
