// SPDX-License-Identifier: Apache-2.0
/**
 * Pages that are generated: a text with places, which is filled. What the places get is not known
 * here.
 */
package io.queuepair.tools.page;
