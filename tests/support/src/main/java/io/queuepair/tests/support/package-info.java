// SPDX-License-Identifier: Apache-2.0
/** Fixtures of several modules' tests: the tree of sources, generated pages, a network. */
package io.queuepair.tests.support;
