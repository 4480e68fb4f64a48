/** The queuepair command. */
package io.queuepair.tools;
