// SPDX-License-Identifier: Apache-2.0
/**
 * Verbs called by name, with arguments and results as data; recordings and scenarios use them. Does
 * not know the formats of these, nor the expected results.
 */
package io.queuepair.tools.recording;
