"""Tools for a course: lessons, exercises that check themselves, grading, copies to hand out."""
