// SPDX-License-Identifier: Apache-2.0
/** What tests of several modules share: the tree of sources, generated pages, a network. */
package io.queuepair.tests.support;
