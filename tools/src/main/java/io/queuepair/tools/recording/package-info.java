// SPDX-License-Identifier: Apache-2.0
/**
 * Verbs that are called by name, with arguments and answers as data: what recordings are replayed
 * with, and scenarios run. Knows neither their format nor what the answers should be.
 */
package io.queuepair.tools.recording;
