"""Monte-Carlo Tree Search on orthodox, semisplit and rolled-up trees."""
