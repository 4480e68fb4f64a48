// SPDX-License-Identifier: Apache-2.0
/** The command {@code totals}, which adds up the parts of a long run. */
package io.queuepair.lab.totals;
