// SPDX-License-Identifier: Apache-2.0
/** Pages of documentation that are generated, compared with what would be generated now. */
package io.queuepair.tests.reference;
